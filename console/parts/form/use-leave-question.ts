import { translate } from '../../data/texts.tsx'

// Asks before a page with unsaved changes is left: by a link, a key, the palette, back and forward, or the window.
import { useContext, useEffect } from 'react'
import { UNSAFE_NavigationContext, type Navigator } from 'react-router'
import { askConfirmation } from '../overlay/confirm.tsx'

export function useLeaveQuestion(unsaved: boolean): void {
  const { navigator } = useContext(UNSAFE_NavigationContext)
  useEffect(() => (unsaved ? blockNavigation(navigator) : undefined), [unsaved, navigator])
}

/** Blocks navigation until the user confirms. Returns a function that ends it. */
function blockNavigation(navigator: Navigator): () => void {
  const { push, replace } = navigator
  let here = entry()
  let isAsking = false
  let isRepeated = false
  async function ask(go: () => void): Promise<void> {
    if (isAsking) return
    isAsking = true
    const yes = await askConfirmation({
      title: translate('Leave without saving?'),
      body: translate('Your changes here will be lost.'),
      yes: translate('Leave'),
    })
    isAsking = false
    if (!yes) return
    release()
    go()
  }
  const asking =
    (go: Navigator['push']): Navigator['push'] =>
    (...way) => {
      if (leadsAway(way[0])) return void ask(() => go(...way))
      go(...way)
      here = entry()
    }
  // Runs before the router's listener. Back and forward cannot be blocked, so the page's entry is pushed again.
  function onPop(event: PopStateEvent): void {
    if (isRepeated) return
    if (window.location.pathname === new URL(here.href).pathname) return void (here = entry())
    event.stopImmediatePropagation()
    window.history.pushState(here.state, '', here.href)
    // If the router was notified first, it is notified again in the same tick, so that nothing is unmounted.
    isRepeated = true
    window.dispatchEvent(new PopStateEvent('popstate', { state: here.state }))
    isRepeated = false
    void ask(() => window.history.back())
  }
  const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
  Object.assign(navigator, { push: asking(push.bind(navigator)), replace: asking(replace.bind(navigator)) })
  window.addEventListener('popstate', onPop, true)
  window.addEventListener('beforeunload', onUnload)
  function release(): void {
    Object.assign(navigator, { push, replace })
    window.removeEventListener('popstate', onPop, true)
    window.removeEventListener('beforeunload', onUnload)
  }
  return release
}

const entry = () => ({ state: window.history.state as unknown, href: window.location.href })

/** Changing the view of the same page is not leaving it. */
function leadsAway(to: Parameters<Navigator['push']>[0]): boolean {
  const { pathname } = window.location
  return (typeof to === 'string' ? new URL(to, window.location.href).pathname : (to.pathname ?? pathname)) !== pathname
}
