-- New search texts are collected in a pending list of each index and merged into it together. Inserting the hundred trigrams and grams of each
-- text one by one took nine tenths of the time of an import. Each search also reads the pending lists, so sessions limit them to 64 kB.
ALTER INDEX search_texts_trigrams SET (fastupdate = on);
ALTER INDEX search_texts_grams SET (fastupdate = on);
