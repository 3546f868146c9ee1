CREATE TABLE orders (
  id       INTEGER PRIMARY KEY,
  status   TEXT,     -- one of the 16 statuses of families.json
  customer INTEGER,
  placed   INTEGER,  -- time of the order
  total    INTEGER
);
