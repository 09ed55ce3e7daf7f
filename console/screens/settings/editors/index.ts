// Editors of settings that need more than a line or a text.
import type { ComponentType } from 'react'
import { ChatsEditor } from './chats-editor.tsx'
import { DomainsEditor } from './domains-editor.tsx'
import type { EditorProps } from './editor.ts'
import { GroupsEditor } from './groups-editor.tsx'
import { RateCountsEditor } from './rate-counts-editor.tsx'
import { RateLimitsEditor } from './rate-limits-editor.tsx'
import { RatiosEditor } from './ratios-editor.tsx'
import { SpecialRatiosEditor } from './special-ratios-editor.tsx'
import { TextWithPreview } from './text-with-preview.tsx'

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
