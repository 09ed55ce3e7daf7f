// Answer times of models: the median of the calls of the last days.
import { quietClient } from '../../data/client.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { getNowSeconds } from '../../parts/text/time.tsx'

export const TIMED_PERIOD_DAYS = 7
/** Maximum number of models, those with the most calls. */
const MOST = 1000

/**
 * Answer times in ms by model: of all calls for administrators, of the user's own for other users, empty for visitors.
 */
export type AnswerTimes = ReadonlyMap<string, number>

const NONE: AnswerTimes = new Map()

export function useAnswerTimes(): AnswerTimes {
  const { user, isAdmin } = useSignedInUser()
  const { data = NONE } = useEndpoint(['usage.query', 'times', user?.id ?? 0, isAdmin], async () => {
    if (!user) return NONE
    const input = {
      from: String(getNowSeconds() - TIMED_PERIOD_DAYS * 86_400),
      ...({ by: 'model', order: 'calls', limit: MOST, times: 'true' } as const),
    }
    const { rows } = await (isAdmin ? quietClient.usage.query(input) : quietClient.usage.querySelf(input))
    return new Map(
      rows.flatMap(({ model_name, latency_ms }) =>
        model_name && latency_ms?.p50 != null ? [[model_name, latency_ms.p50] as const] : [],
      ),
    )
  })
  return data
}
