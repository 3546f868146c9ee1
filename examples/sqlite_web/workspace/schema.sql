CREATE TABLE events (
  id      INTEGER PRIMARY KEY,
  kind    TEXT,     -- one of the 16 kinds of families.json
  account INTEGER,
  at      INTEGER,  -- time of the event
  amount  INTEGER
);
