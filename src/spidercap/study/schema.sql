-- The tables of a study. An item's `held` is how many of its places are taken by open or counted assignments;
-- the triggers keep it, and the CHECK makes one place too many impossible.
CREATE TABLE facts (name TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE pictures (number INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, image TEXT NOT NULL UNIQUE);
CREATE TABLE truths (image TEXT NOT NULL, caption TEXT NOT NULL);
CREATE TABLE captions (system TEXT NOT NULL, image TEXT NOT NULL, caption TEXT NOT NULL, PRIMARY KEY (system, image));
CREATE TABLE items (
  number INTEGER PRIMARY KEY, code TEXT NOT NULL UNIQUE, picture INTEGER NOT NULL REFERENCES pictures (number),
  caption TEXT NOT NULL, other TEXT, needed INTEGER NOT NULL, held INTEGER NOT NULL DEFAULT 0,
  CHECK (held BETWEEN 0 AND needed)
);
CREATE INDEX with_a_place ON items (number) WHERE held < needed;
CREATE TABLE credits (item INTEGER NOT NULL REFERENCES items (number), system TEXT NOT NULL, against TEXT);
CREATE TABLE raters (number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, paused INTEGER NOT NULL DEFAULT 0);
CREATE TABLE keys (hash TEXT PRIMARY KEY, rater INTEGER REFERENCES raters (number));
CREATE TABLE assignments (
  item INTEGER NOT NULL REFERENCES items (number), rater INTEGER NOT NULL REFERENCES raters (number),
  state TEXT NOT NULL CHECK (state IN ('open', 'returned', 'counted', 'late')),
  turn INTEGER NOT NULL DEFAULT 0, given INTEGER NOT NULL, renewed REAL NOT NULL,
  choice TEXT, milliseconds INTEGER, answered INTEGER,
  PRIMARY KEY (item, rater)
) WITHOUT ROWID;
CREATE INDEX of_rater ON assignments (rater, state);
CREATE INDEX out_now ON assignments (renewed) WHERE state = 'open';
CREATE TRIGGER taken AFTER INSERT ON assignments BEGIN
  UPDATE items SET held = held + (NEW.state IN ('open', 'counted')) WHERE number = NEW.item;
END;
CREATE TRIGGER moved AFTER UPDATE OF state ON assignments BEGIN
  UPDATE items SET held = held + (NEW.state IN ('open', 'counted')) - (OLD.state IN ('open', 'counted'))
  WHERE number = NEW.item;
END;
CREATE TABLE events (
  sequence INTEGER PRIMARY KEY AUTOINCREMENT, at TEXT NOT NULL, rater INTEGER NOT NULL, item INTEGER NOT NULL,
  what TEXT NOT NULL, turn INTEGER NOT NULL, choice TEXT, milliseconds INTEGER
);
