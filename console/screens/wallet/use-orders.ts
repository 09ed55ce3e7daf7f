// The listed orders, the user's own or those of all users. While one of the user's own waits for its payment they are
// polled, so that the page can report the payment.
import { useEffect, useRef } from 'react'
import type { TopupOrder } from '../../../core/topups/topup.ts'
import { apiClient } from '../../data/client.ts'
import { useSignedInUser } from '../../data/session.tsx'
import { toPageRows, usePaging, useUrlState } from '../../data/use-paging.ts'
import { usePagedEndpoint } from '../../data/use-paged-endpoint.ts'
import { getNowSeconds } from '../../parts/text/time.tsx'

/** Interval between two polls, in ms. */
const LOOK = 4000
/** Time after an order during which it may still be paid, in seconds. */
const PATIENCE = 3600

export function useOrders(arrived: (order: TopupOrder) => void) {
  const { user, isAdmin } = useSignedInUser()
  const paging = usePaging({ above: 685 })
  const [{ all, sort }, setState] = useUrlState({ all: '', sort: '' })
  const everybodys = isAdmin && all === 'true'
  const list = usePagedEndpoint(['topups.list', everybodys, sort], paging, async (listPlace) => {
    const place = { p: listPlace.page, page_size: listPlace.size, ...(sort ? { sort } : {}) }
    return toPageRows(await (everybodys ? apiClient.topups.list(place) : apiClient.topups.listSelf(place)), listPlace)
  })
  const { data, reload } = list
  const isWaiting = ({ status, user_id, create_time }: TopupOrder) =>
    status === 'pending' && user_id === user?.id && create_time > getNowSeconds() - PATIENCE
  const waiting = data?.rows.find(isWaiting) ?? null
  const pendingOrder = useRef<TopupOrder | null>(null)
  const notifyArrived = useRef(arrived)
  notifyArrived.current = arrived
  useEffect(() => {
    const paid = data?.rows.find(({ id, status }) => id === pendingOrder.current?.id && status === 'success')
    if (paid) notifyArrived.current(paid)
    pendingOrder.current = waiting
  }, [data, waiting])
  const polls = waiting !== null
  useEffect(() => {
    if (!polls) return
    const look = () => document.visibilityState === 'visible' && reload()
    const timer = setInterval(look, LOOK)
    document.addEventListener('visibilitychange', look)
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', look)
    }
  }, [polls, reload])
  return {
    list,
    paging,
    waiting,
    isAdmin,
    everybodys,
    sort,
    sortBy: (by: string) => setState({ sort: by }),
    showEverybodys: (on: boolean) => setState({ all: on ? 'true' : '' }),
    /** Shows the newest orders. */
    showNewest: () => {
      setState({ sort: '' })
      reload()
    },
  }
}

export type OrderList = ReturnType<typeof useOrders>
