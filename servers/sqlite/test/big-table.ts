/** The statements that make a table of 20,000 rows. */
export const big = `CREATE TABLE big(id INTEGER PRIMARY KEY, v TEXT);
  INSERT INTO big(v) WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c LIMIT 20000) SELECT 'value ' || x FROM c;`;
