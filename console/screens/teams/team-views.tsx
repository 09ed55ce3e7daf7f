// The views of a team for its managers: its members, their spending, its tokens and its calls.
import { lazy, Suspense, useState, type ReactNode } from 'react'
import type { Team } from '../../../core/teams/team.ts'
import { useTexts } from '../../data/texts.tsx'
import { Tabs } from '../../parts/tabs.tsx'
import { LoadingIndicator } from '../../parts/waiting.tsx'
import type { MemberUse } from './member-use.ts'
import { words } from './texts.ts'

const Spend = lazy(async () => ({ default: (await import('./team-spend.tsx')).TeamSpend }))
const Tokens = lazy(async () => ({ default: (await import('./team-tokens.tsx')).TeamTokens }))
const Calls = lazy(async () => ({ default: (await import('./team-calls.tsx')).TeamCalls }))

const VIEWS = ['members', 'spend', 'tokens', 'log'] as const
type View = (typeof VIEWS)[number]

interface TeamViewsProps {
  team: Team
  members: readonly MemberUse[]
  /** The list of members. */
  children: ReactNode
}

export function TeamViews({ team, members, children }: TeamViewsProps) {
  const t = useTexts(words)
  // Several teams may be expanded at once, and the address can hold the view of only one.
  const [view, setView] = useState<View>('members')
  return (
    <Tabs
      label={t.views}
      value={view}
      tabs={VIEWS.map((value) => ({ value, label: t[value] }))}
      onChange={(next) => setView(next as View)}
    >
      <Suspense fallback={<LoadingIndicator />}>
        {view === 'members' && children}
        {view === 'spend' && <Spend members={members} />}
        {view === 'tokens' && <Tokens team={team} />}
        {view === 'log' && <Calls team={team} />}
      </Suspense>
    </Tabs>
  )
}
