/**
 * Settings of the embedded server, written before every start so that an update of Forager brings its own.
 * Full durability: a commit that was reported is on the disk. A file `local.conf` beside it may change any.
 */
export const serverSettings = `# Written by Forager at every start. Put changes of your own into local.conf beside this file.
listen_addresses = '127.0.0.1'
unix_socket_directories = ''
max_connections = 60
superuser_reserved_connections = 3
password_encryption = 'scram-sha-256'

# A reported commit survives a power cut.
fsync = on
synchronous_commit = on
full_page_writes = on
wal_compression = pglz
wal_level = minimal
max_wal_senders = 0
max_wal_size = 2GB
min_wal_size = 128MB
checkpoint_timeout = 15min
checkpoint_completion_target = 0.9

shared_buffers = 128MB
huge_pages = off
work_mem = 16MB
maintenance_work_mem = 128MB
effective_cache_size = 1GB
random_page_cost = 1.1
jit = off
# Parallel workers talk through /dev/shm, which containers keep tiny; the statements here are small anyway.
max_parallel_workers_per_gather = 0
max_parallel_maintenance_workers = 0
io_method = sync

# Work tables are updated all the time: clean up early and without dawdling.
autovacuum_naptime = 20s
autovacuum_vacuum_scale_factor = 0.02
autovacuum_analyze_scale_factor = 0.02
autovacuum_vacuum_insert_scale_factor = 0.1
autovacuum_vacuum_cost_limit = 2000

# A Forager that was killed is noticed also in the middle of a statement.
client_connection_check_interval = 2s

timezone = 'UTC'
log_timezone = 'UTC'
lc_messages = 'C'

# One file per hour of the day, overwritten the next day: the log is bounded. No statements: they hold pages.
logging_collector = on
log_directory = 'log'
log_filename = 'server-%H.log'
log_truncate_on_rotation = on
log_rotation_age = 60
log_rotation_size = 0
log_min_messages = warning
log_min_error_statement = panic
log_checkpoints = off
log_connections = ''
`;

/** postgresql.conf itself only brings the two together. */
export const mainConfiguration = `# Forager's settings, then yours.
include 'forager.conf'
include_if_exists 'local.conf'
`;

/** Only this machine, only with the password. */
export const accessRules = `# Written by Forager.
host all all 127.0.0.1/32 scram-sha-256
`;
