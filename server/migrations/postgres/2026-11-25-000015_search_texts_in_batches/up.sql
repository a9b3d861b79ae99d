-- New search texts wait in a list of each index and enter it together: one by one, each of the hundred trigrams and grams of a text searched
-- its place in the index, nine tenths of the time of an import. A search reads the list as well, so sessions keep it under 64 kB.
ALTER INDEX search_texts_trigrams SET (fastupdate = on);
ALTER INDEX search_texts_grams SET (fastupdate = on);
