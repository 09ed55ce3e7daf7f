// Watches the newest order while it waits for its payment, and says when the money is there: here and in the balance.
import { useEffect, useRef } from 'react'
import type { TopUp } from '../../../core/topups/topup.ts'
import { client, untold } from '../../data/client.ts'
import { useEndpoint } from '../../data/use-endpoint.ts'
import { nowSeconds } from '../../parts/time.tsx'

/** Ms between two looks. */
const LOOK = 4000
/** For so long after an order somebody may still be paying it, in seconds. */
const PATIENCE = 3600

export interface Arrival {
  /** The order that waits for its payment. */
  waiting: TopUp | null
  /** Changes with the newest order and its state. */
  at: string
  look(): void
}

export function useArrival(arrived: (order: TopUp) => void): Arrival {
  const { data, reload } = useEndpoint(['topups.listSelf', 'newest'], () =>
    untold(async () => (await client.topups.listSelf({ p: 1, page_size: 1 })).items[0] ?? null),
  )
  const isWaiting = data?.status === 'pending' && data.create_time > nowSeconds() - PATIENCE
  const awaited = useRef<number>(undefined)
  const tell = useRef(arrived)
  tell.current = arrived
  useEffect(() => {
    if (data?.status === 'success' && awaited.current === data.id) tell.current(data)
    awaited.current = isWaiting ? data.id : undefined
  }, [data, isWaiting])
  useEffect(() => {
    if (!isWaiting) return
    const look = () => document.visibilityState === 'visible' && reload()
    const timer = setInterval(look, LOOK)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [isWaiting, reload])
  return { waiting: isWaiting ? data : null, at: data ? `${data.id} ${data.status}` : '', look: reload }
}
