autocmd BufNewFile,BufRead *.dcp setfiletype dcp
