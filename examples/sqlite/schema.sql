-- sqlite3 songs.db < schema.sql
CREATE TABLE songs (
    id INTEGER PRIMARY KEY,
    title TEXT NOT NULL,
    year INTEGER NOT NULL,
    added TEXT NOT NULL
);
-- This index has the order of the feed. With it, SQLite finds the beginning of a page without sorting.
CREATE INDEX songs_newest_first ON songs (added DESC, id DESC);

WITH
    first (i, word) AS (VALUES (0, 'Autumn'), (1, 'Blue'), (2, 'Broken'), (3, 'Summer'), (4, 'Slow')),
    second (i, word) AS (
        VALUES (0, 'Rain'), (1, 'Train'), (2, 'Harbour'), (3, 'Letter'), (4, 'Window'),
        (5, 'Song'), (6, 'River'), (7, 'Light'), (8, 'Street')
    )
INSERT INTO songs
SELECT
    1 + first.i + 5 * second.i,
    first.word || ' ' || second.word,
    1960 + (first.i * 17 + second.i * 29) % 60,
    date('2026-01-01', '+' || ((first.i + 5 * second.i) / 3) || ' days')
FROM first, second;
