-- Runs of five digits are grams, too: each trigram of digits is in many numbers, a run of five is in few, so an order is found by its number, phone or
-- passport without reading long lists.
SET LOCAL statement_timeout = 0;
CREATE OR REPLACE FUNCTION order_grams(folded TEXT) RETURNS TEXT[] LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS
$$ SELECT array_agg(one) || array_agg(one || next) FILTER (WHERE next IS NOT NULL)
          || (SELECT array_agg(substr(digits[1], place, 5))
                FROM regexp_matches(folded, '[0-9]{5,}', 'g') AS digits, generate_series(1, length(digits[1]) - 4) AS place)
   FROM unnest(string_to_array(folded, NULL), (string_to_array(folded, NULL))[2:]) AS neighbours (one, next) $$;
REINDEX INDEX search_texts_grams;
