if exists('b:did_ftplugin')
  finish
endif
let b:did_ftplugin = 1

setlocal commentstring=#\ %s comments=:# expandtab shiftwidth=2 softtabstop=2
setlocal formatprg=dcpc\ fmt\ -
let b:undo_ftplugin = 'setlocal commentstring< comments< expandtab< shiftwidth< softtabstop< formatprg< omnifunc<'

" Neovim speaks to the language server by itself; set g:dcpc_command to start another one, or to [] for none.
if has('nvim')
  lua require('dcpc').start()
endif
