// Editors of settings that need more than a line or a text.
import { type ComponentType, lazy } from 'react'
import { DomainsEditor } from './domains-editor.tsx'
import type { EditorProps } from './editor.ts'
import { RateCountsEditor } from './rate-counts-editor.tsx'
import { RatiosEditor } from './ratios-editor.tsx'
import { TextWithPreview } from './text-with-preview.tsx'

// The large ones are loaded with their pages.
const ChatsEditor = lazy(() => import('./chats-editor.tsx').then((made) => ({ default: made.ChatsEditor })))
const GroupsEditor = lazy(() => import('./groups-editor.tsx').then((made) => ({ default: made.GroupsEditor })))
const RateLimitsEditor = lazy(() =>
  import('./rate-limits-editor.tsx').then((made) => ({ default: made.RateLimitsEditor })),
)
const SpecialRatiosEditor = lazy(() =>
  import('./special-ratios-editor.tsx').then((made) => ({ default: made.SpecialRatiosEditor })),
)

export const SETTING_EDITORS: Readonly<Record<string, ComponentType<EditorProps>>> = {
  Chats: ChatsEditor,
  EmailDomainWhitelist: DomainsEditor,
  GroupRatio: GroupsEditor,
  GroupGroupRatio: SpecialRatiosEditor,
  TopupGroupRatio: RatiosEditor,
  ModelRequestRateLimitGroup: RateCountsEditor,
  RateLimits: RateLimitsEditor,
  Notice: TextWithPreview,
  About: TextWithPreview,
  HomePageContent: TextWithPreview,
  Footer: TextWithPreview,
}

/** Settings that are edited within the editor of another one, by their key. */
export const SETTINGS_BY_HOST: Readonly<Record<string, string>> = { UserUsableGroups: 'GroupRatio' }
