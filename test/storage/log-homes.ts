// Homes of log rows for tests: in a folder of their own, or on a ClickHouse that somebody has started.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openLogHome } from '../../core/adapters/log-homes/open.ts'
import { createLogMover, type LogFollower } from '../../core/logs/follower.ts'
import type { LogHome } from '../../core/logs/home.ts'
import { createLogsInTwoPlaces } from '../../core/logs/two-places.ts'
import type { Storage } from '../../core/ports/storage.ts'
import { ports, silent } from '../support/databases.ts'

/** `http://…`: see `clickhouse.sh`. */
export const CLICKHOUSE = process.env.WEIR_TEST_CLICKHOUSE ?? ''

export const HOMES = ['sqlite', 'parquet', 'clickhouse'] as const
export type HomeKind = (typeof HOMES)[number]
export const isHere = (kind: HomeKind): boolean => kind !== 'clickhouse' || CLICKHOUSE !== ''

let tables = 0

/** Another home each time, with what takes it away. */
export async function openHome(kind: HomeKind): Promise<{ home: LogHome; address: string; end(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'weir-log-home-'))
  tables += 1
  const table = `logs_${process.pid}_${Date.now()}_${tables}`
  const address = {
    sqlite: `sqlite:${join(folder, 'logs.db')}?days=0`,
    parquet: `parquet:${join(folder, 'rows')}?days=0`,
    clickhouse: `${CLICKHOUSE.replace(/^http/, 'clickhouse')}?table=${table}`,
  }[kind]
  const home = await openLogHome(address, { folder, logger: silent })
  return {
    home,
    address,
    async end() {
      await home.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** Brings rows up to an id, without waiting until nobody can write before it any more. */
export function followerTo(storage: Storage, home: LogHome, upTo: () => Promise<number>): LogFollower {
  const { databaseLogs, logPlaces } = storage
  const source = { settledId: upTo, after: databaseLogs.after }
  return createLogMover({ home, source, places: logPlaces, owner: 'the test', ...ports() })
}

export const newestId = async ({ databaseLogs }: Storage): Promise<number> =>
  (await databaseLogs.newestIds(1))[0]?.id ?? 0

/** The storage with its log in two places: whatever is written, that share of it moves on at once. */
export function movingOn(storage: Storage, home: LogHome, share: number): Storage {
  const logs = createLogsInTwoPlaces(storage, home)
  const follower = followerTo(storage, home, async () => Math.floor((await newestId(storage)) * share))
  return {
    ...storage,
    logs: {
      ...logs,
      async insert(entries) {
        await logs.insert(entries)
        await follower.run(new AbortController().signal)
        if (follower.state().failure !== '') throw new Error(follower.state().failure)
      },
    },
  }
}
