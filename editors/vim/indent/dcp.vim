if exists('b:did_indent')
  finish
endif
let b:did_indent = 1

setlocal indentexpr=DcpIndent(v:lnum) indentkeys=0},0],0),!^F,o,O
let b:undo_indent = 'setlocal indentexpr< indentkeys<'

if exists('*DcpIndent')
  finish
endif

" Texts and comments hold no brackets that count.
function! s:code(lnum) abort
  return substitute(getline(a:lnum), '"\%([^"\\]\|\\.\)*"\|#.*$', '', 'g')
endfunction

function! DcpIndent(lnum) abort
  let l:before = prevnonblank(a:lnum - 1)
  if l:before == 0
    return 0
  endif
  let l:indent = indent(l:before)
  if s:code(l:before) =~# '[{(\[]\s*$'
    let l:indent += shiftwidth()
  endif
  if s:code(a:lnum) =~# '^\s*[})\]]'
    let l:indent -= shiftwidth()
  endif
  return l:indent
endfunction
