-- A user of the database for workers, once `agon workers` or a first run has made the tables; as their owner:
--   psql -v password=SECRET -f worker-role.sql agon
-- With it a worker takes batches, ends them and stores matches. It can make no token and no run, change no entrant, source
-- or ruling, and remove no match. What it stores it can make up: docs/scale.md says what is done about that.
CREATE ROLE agon_worker LOGIN PASSWORD :'password';
GRANT USAGE ON SCHEMA agon, agon_queue TO agon_worker;

GRANT SELECT ON ALL TABLES IN SCHEMA agon TO agon_worker;
REVOKE SELECT ON agon.lease, agon.log FROM agon_worker;
GRANT USAGE ON SEQUENCE agon.match_id, agon.pack_id TO agon_worker;
-- Matches, and what is counted of them.
GRANT INSERT ON agon.match, agon.pack, agon.run_match TO agon_worker;
GRANT INSERT, UPDATE ON agon.segment, agon.pair, agon.fault_count, agon.digest TO agon_worker;
GRANT UPDATE (matches) ON agon.run TO agon_worker;
GRANT UPDATE (matches, wins, draws, losses, pairs) ON agon.run_entrant TO agon_worker;
-- What bots that live through a tournament hold on disk.
GRANT INSERT, UPDATE ON agon.kept, agon.kept_sum TO agon_worker;
GRANT INSERT, DELETE ON agon.snapshot TO agon_worker;
-- What a worker says of itself: not that it is set aside.
GRANT INSERT ON agon.worker TO agon_worker;
GRANT UPDATE (heard, gone, playing, matches, faults, token) ON agon.worker TO agon_worker;
GRANT INSERT, UPDATE ON agon.refusal, agon.written TO agon_worker;
GRANT INSERT, DELETE ON agon.place TO agon_worker;

GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA agon_queue TO agon_worker;
GRANT USAGE ON ALL SEQUENCES IN SCHEMA agon_queue TO agon_worker;
