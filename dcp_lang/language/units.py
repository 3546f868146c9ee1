"""Units: every unit word, its dimension, its base unit and its exact factor.

Money is one dimension per currency (ISO 4217), so `10 USD + 5 EUR` is an error like `10 USD + 30 min`.
Counts of named things (`20 requests`) each have a dimension of their own.
"""

from __future__ import annotations

from fractions import Fraction

from dcp_lang.canonical import number_text
from dcp_lang.record import Record


class Unit(Record):
    """A unit word: one of it is `factor` of the `base` unit of its `dimension`."""

    word: str
    dimension: str
    base: str
    factor: Fraction


#: ISO 4217 codes of currencies in use.
CURRENCIES = frozenset(
    """
    AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BGN BHD BIF BMD BND BOB BRL BSD BTN BWP BYN BZD
    CAD CDF CHF CLP CNY COP CRC CUP CVE CZK DJF DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP
    GMD GNF GTQ GYD HKD HNL HTG HUF IDR ILS INR IQD IRR ISK JMD JOD JPY KES KGS KHR KMF KPW KRW KWD
    KYD KZT LAK LBP LKR LRD LSL LYD MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN
    NIO NOK NPR NZD OMR PAB PEN PGK PHP PKR PLN PYG QAR RON RSD RUB RWF SAR SBD SCR SDG SEK SGD SHP
    SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TND TOP TRY TTD TWD TZS UAH UGX USD UYU UZS VES VND
    VUV WST XAF XCD XOF XPF YER ZAR ZMW ZWG
    """.split()  # noqa: SIM905 - a list of 160 literals would be six times as long
)

_SCALED: dict[str, tuple[str, dict[str, Fraction | int]]] = {
    "time": ("s", {"ms": Fraction(1, 1000), "s": 1, "min": 60, "h": 3600, "d": 86400}),
    "data": (
        "B",
        {"B": 1, "kB": 10**3, "MB": 10**6, "GB": 10**9, "KiB": 2**10, "MiB": 2**20, "GiB": 2**30},
    ),
}

#: Nouns that can be counted, singular to plural; the plural is the base unit.
NOUNS = {
    "call": "calls",
    "candidate": "candidates",
    "control": "controls",
    "cpu": "cpus",
    "episode": "episodes",
    "page": "pages",
    "pair": "pairs",
    "request": "requests",
    "session": "sessions",
    "token": "tokens",
    "turn": "turns",
    "unit": "units",
    "audit": "audits",
}


def _table() -> dict[str, Unit]:
    units: dict[str, Unit] = {}
    one_each = Fraction(1)
    for dimension, (base, words) in _SCALED.items():
        units |= {w: Unit(w, dimension, base, Fraction(f)) for w, f in words.items()}
    for one, many in NOUNS.items():
        units |= {w: Unit(w, many, many, one_each) for w in (one, many)}
    return units


_UNITS = _table()


def find_unit(word: str) -> Unit | None:
    """The unit that a word names, or None."""
    if word in CURRENCIES:
        return Unit(word, "money", word, Fraction(1))
    return _UNITS.get(word)


def unit_words() -> list[str]:
    """All unit words, for suggestions and completion."""
    return [*_UNITS, *sorted(CURRENCIES)]


def quantity_text(number: Fraction, base: str) -> str:
    """A quantity given in its base unit, in the greatest unit that leaves a whole number: `1800 s` is `30
    min`.
    """
    fitting = [u for u in _UNITS.values() if u.base == base and (number / u.factor).denominator == 1]
    unit = max(fitting, key=lambda u: (u.factor, u.word == u.base), default=None) if number else None
    if unit is None:
        return f"{number_text(number)} {base}"
    return f"{number_text(number / unit.factor)} {unit.word}"


def dimension_units(dimension: str) -> str:
    """The unit words of a dimension as prose: `s, min, h or d`."""
    if dimension == "money":
        return "a currency code such as USD"
    words = [w for w, u in _UNITS.items() if u.dimension == dimension and w != "ms"]
    return words[0] if len(words) == 1 else ", ".join(words[:-1]) + " or " + words[-1]
