/** The database's own time, in epoch ms. */
export const NOW_MS = {
  sqlite: "cast((julianday('now') - 2440587.5) * 86400000 as integer)",
  postgres: 'cast(extract(epoch from clock_timestamp()) * 1000 as bigint)',
}
