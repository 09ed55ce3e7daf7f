// The bar above both tables: search, buttons, and the unsaved changes.
import { IconSearch } from '@douyinfe/semi-icons'
import type { ReactNode } from 'react'
import { fillPhrase, useTexts } from '../../../data/texts.tsx'
import { Button, Input } from '../../../semi.ts'
import { ROW_MAPS } from './maps.ts'
import { words } from './texts.ts'
import type { PriceMaps } from './use-price-maps.ts'

const KEYS: readonly string[] = Object.values(ROW_MAPS)

interface SearchProps {
  maps: PriceMaps
  search: string
  setSearch(text: string): void
  /** Number of unsaved rows. */
  waiting: number
  children: ReactNode
}

export function TableHead({ maps, search, setSearch, waiting, children }: SearchProps) {
  const t = useTexts(words)
  return (
    <div className="price-head">
      <Input
        prefix={<IconSearch aria-hidden />}
        aria-label={t.search}
        placeholder={t.search}
        value={search}
        onChange={setSearch}
      />
      {children}
      <Button theme="solid" loading={maps.busy} onClick={() => void maps.save(KEYS)}>
        {t.apply}
      </Button>
      {waiting > 0 && (
        <>
          <span role="status">{fillPhrase(t.waiting, { n: waiting })}</span>
          <Button theme="borderless" type="tertiary" onClick={maps.discard}>
            {t.discard}
          </Button>
        </>
      )}
    </div>
  )
}
