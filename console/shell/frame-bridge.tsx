// Exchanges messages with the surrounding page, if any. Only the sites in the settings can frame Weir (its policy
// enforces that), so messages of the surrounding page are trusted.
import { useEffect, useRef } from 'react'
import { useLocation, useNavigate } from 'react-router'
import { type FromWeir, parseFrameMessage } from '../../core/contract/frames.ts'
import { findParentOrigin } from '../data/framed.ts'
import { storedPreferences } from '../data/preferences.ts'
import { useSignedInUser } from '../data/session.tsx'
import { useSignOut } from './use-sign-out.ts'

type OutgoingMessage = FromWeir extends infer Each ? (Each extends FromWeir ? Omit<Each, 'source'> : never) : never

function sendMessage(message: OutgoingMessage): void {
  const origin = findParentOrigin()
  if (origin) window.parent.postMessage({ source: 'weir', ...message }, origin)
}

export function FrameBridge() {
  const navigate = useNavigate()
  const { pathname, search } = useLocation()
  const { user } = useSignedInUser()
  const act = useRef({ navigate, signOut: useSignOut() })
  act.current.navigate = navigate

  useEffect(() => {
    const onMessage = ({ source, origin, data }: MessageEvent) => {
      if (source !== window.parent || origin !== findParentOrigin()) return
      const message = parseFrameMessage(data)
      if (message?.type === 'navigate') void act.current.navigate(message.path)
      if (message?.type === 'theme') storedPreferences.theme.write(message.mode)
      if (message?.type === 'language') storedPreferences.language.write(message.language)
      if (message?.type === 'sign_out') void act.current.signOut()
    }
    window.addEventListener('message', onMessage)
    sendMessage({ type: 'ready' })
    return () => window.removeEventListener('message', onMessage)
  }, [])

  useEffect(() => {
    // Screens set the title after they are rendered.
    const timer = setTimeout(() => sendMessage({ type: 'navigated', path: pathname + search, title: document.title }))
    return () => clearTimeout(timer)
  }, [pathname, search])

  useEffect(() => sendMessage({ type: 'session', signed_in: user !== null }), [user])

  useEffect(() => {
    const content = document.getElementById('content')
    if (!content) return
    let last = 0
    const reportSize = () => {
      const height = Math.ceil(content.scrollHeight)
      if (height !== last) sendMessage({ type: 'height', height: (last = height) })
    }
    const watched = new ResizeObserver(reportSize)
    watched.observe(content)
    return () => watched.disconnect()
  }, [])
  return null
}
