" Syntax of .dcp registrations (https://neovim.io and Vim 8.2 alike).
if exists('b:current_syntax')
  finish
endif

" Greek letters are letters to Vim as it is.
syntax iskeyword @,48-57,_
runtime! syntax/dcp_words.vim

syntax match dcpNumber /\<\d[0-9_]*\%(\.[0-9_]\+\)\?%\?/
syntax match dcpOperator /[=<>!]=\|[=<>+*\/-]/
syntax match dcpFunction /\<\k\+\ze(/
syntax match dcpComment /#.*$/ contains=@Spell
syntax match dcpEscape /\\["\\nt]/ contained
syntax region dcpString start=/"/ end=/"/ oneline contains=dcpEscape,@Spell
syntax region dcpString start=/"""/ end=/"""/ contains=dcpEscape,@Spell
syntax sync match dcpSync grouphere NONE /^registration\|^profile/

highlight default link dcpKeyword Keyword
highlight default link dcpOperatorWord Operator
highlight default link dcpOperator Operator
highlight default link dcpBlock Structure
highlight default link dcpNumber Number
highlight default link dcpFunction Function
highlight default link dcpComment Comment
highlight default link dcpEscape SpecialChar
highlight default link dcpString String

let b:current_syntax = 'dcp'
