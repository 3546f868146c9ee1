"""The rules of reading a source, E001 to E059: what can be wrong with its bytes, characters and form."""

from __future__ import annotations

from dcp_lang.diagnostics.registry import Rule

SOURCE_TOO_LARGE = Rule(
    "E001", "source-too-large", "error", "the source is larger than 256 KiB, or has too many words and signs"
)
NOT_TEXT = Rule("E002", "not-text", "error", "the source is not a text")
NOT_UTF_8 = Rule("E003", "not-utf-8", "error", "the source is not encoded in UTF-8")
BYTE_ORDER_MARK = Rule("E004", "byte-order-mark", "error", "the source starts with a byte order mark")
LONE_RETURN = Rule("E005", "lone-carriage-return", "error", "a carriage return stands without a line feed")
EMPTY_FILE = Rule("E006", "empty-file", "error", "the source declares nothing")
TOO_MANY_FAULTS = Rule("E007", "too-many-faults", "error", "the source has more faults than are reported")

LOOK_ALIKE = Rule("E010", "look-alike-character", "error", "a character looks like one of the language")
NON_ASCII_DIGIT = Rule("E011", "non-ascii-digit", "error", "a digit of another script stands in a number")
INVISIBLE = Rule(
    "E012", "invisible-character", "error", "a character that cannot be seen stands in the source"
)
BIDIRECTIONAL = Rule(
    "E013", "bidirectional-control", "error", "a character changes the order of what is shown"
)
CONTROL = Rule("E014", "control-character", "error", "a control character stands in the source")
UNEXPECTED_CHARACTER = Rule("E015", "unexpected-character", "error", "no word or sign has this character")
NOT_NFC = Rule("E016", "not-nfc", "error", "a string is not in Unicode normalization form C")
VULGAR_FRACTION = Rule("E017", "vulgar-fraction", "error", "a fraction is written as one character")

EXPONENT = Rule("E020", "exponent-not-allowed", "error", "a number is written with an exponent")
DECIMAL_COMMA = Rule("E021", "decimal-comma", "error", "a comma stands where a decimal point belongs")
GROUP_COMMA = Rule("E022", "digit-group-comma", "error", "a comma separates groups of digits")
SECOND_POINT = Rule("E023", "second-decimal-point", "error", "a number has two decimal points")
DOUBLE_PERCENT = Rule("E024", "double-percent", "error", "a number has two percent signs")
TOO_MANY_DIGITS = Rule("E025", "too-many-digits", "error", "a number has more digits than are kept")
BARE_POINT = Rule("E026", "bare-decimal-point", "error", "a decimal point has no digit on one side")
MISPLACED_UNDERSCORE = Rule(
    "E027", "misplaced-underscore", "error", "an underscore does not stand between digits"
)
JOINED_WORD = Rule("E028", "number-joined-to-word", "error", "a number runs into a word")
DETACHED_PERCENT = Rule("E029", "detached-percent", "error", "a percent sign stands apart from its number")

UNCLOSED_STRING = Rule("E030", "unclosed-string", "error", "a string has no closing quote")
UNKNOWN_ESCAPE = Rule("E031", "unknown-escape", "error", "a backslash starts no known escape")
SINGLE_QUOTES = Rule("E032", "single-quoted-string", "error", "a string stands in single quotes")

UNCLOSED_BRACKET = Rule("E040", "unclosed-bracket", "error", "a bracket is not closed")
UNCLOSED_BLOCK = Rule("E041", "unclosed-block", "error", "a block is not closed")
UNMATCHED_BRACKET = Rule("E042", "unmatched-bracket", "error", "a closing bracket closes nothing")
MISMATCHED_BRACKET = Rule("E043", "mismatched-bracket", "error", "a bracket is closed by one of another kind")
TOO_DEEP = Rule("E044", "nesting-too-deep", "error", "brackets or operators nest too deep")

UNEXPECTED_TOKEN = Rule(
    "E050", "unexpected-token", "error", "a word or sign stands where none of its kind may"
)
RESERVED_WORD = Rule("E051", "reserved-word", "error", "a reserved word stands where a name belongs")

#: All of them, by code.
RULES: tuple[Rule, ...] = (
    SOURCE_TOO_LARGE,
    NOT_TEXT,
    NOT_UTF_8,
    BYTE_ORDER_MARK,
    LONE_RETURN,
    EMPTY_FILE,
    TOO_MANY_FAULTS,
    LOOK_ALIKE,
    NON_ASCII_DIGIT,
    INVISIBLE,
    BIDIRECTIONAL,
    CONTROL,
    UNEXPECTED_CHARACTER,
    NOT_NFC,
    VULGAR_FRACTION,
    EXPONENT,
    DECIMAL_COMMA,
    GROUP_COMMA,
    SECOND_POINT,
    DOUBLE_PERCENT,
    TOO_MANY_DIGITS,
    BARE_POINT,
    MISPLACED_UNDERSCORE,
    JOINED_WORD,
    DETACHED_PERCENT,
    UNCLOSED_STRING,
    UNKNOWN_ESCAPE,
    SINGLE_QUOTES,
    UNCLOSED_BRACKET,
    UNCLOSED_BLOCK,
    UNMATCHED_BRACKET,
    MISMATCHED_BRACKET,
    TOO_DEEP,
    UNEXPECTED_TOKEN,
    RESERVED_WORD,
)
