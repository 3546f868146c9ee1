" Written by editors/generate.py; do not edit.
syntax keyword dcpKeyword allow auto because dcp default else require use when
syntax match dcpOperatorWord /\<\%(and\|or\|not\|in\|contains\|on\|within\)\>/
syntax keyword dcpBlock baseline budget errors expect gate information model notes parties policy profile registration selection target task thresholds valid
