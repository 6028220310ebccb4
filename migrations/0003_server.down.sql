-- Takes the server's tables away again, and with them accounts, keys and figures over time.
drop table url_removals;
drop index urls_troubled;
drop index pages_domain;
drop table alerts;
drop table stats_gauges;
drop table stats_totals;
drop table stats_minutely;
drop table jobs;
drop table idempotency_keys;
drop table audit_log;
drop table login_throttles;
drop table api_keys;
drop table sessions;
drop table users;
