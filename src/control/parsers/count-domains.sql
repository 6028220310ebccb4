-- How many domains have chosen which parser.
-- Relies on: nothing; it walks all domains, and is asked by people only.
select parser_name as name, count(*)::int as domains from domains group by parser_name
