// Runs the request that the command palette has made of a page it led to, such as to open its editor, once.
import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'

export function usePaletteAct(act: string, run: () => void): void {
  const { state, pathname, search } = useLocation() as { state: unknown; pathname: string; search: string }
  const navigate = useNavigate()
  const isRequested = (state as { act?: string } | null)?.act === act
  useEffect(() => {
    if (!isRequested) return
    void navigate(pathname + search, { replace: true, state: null })
    run()
  }, [isRequested, navigate, pathname, search, run])
}
