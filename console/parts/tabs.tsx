// One of several views of a page, after ARIA's pattern: one tab is in the tab order, and arrow keys lead to the others.
// The chosen view belongs in the address: the page holds it with `useUrlState`.
import { useId, useRef, type KeyboardEvent, type ReactNode } from 'react'
import { useShownInRow } from './use-shown-in-row.ts'
import './tabs.css'

export interface Tab {
  value: string
  label: ReactNode
}

interface Props {
  label: string
  value: string
  tabs: readonly Tab[]
  onChange(value: string): void
  /** The content of the chosen tab. */
  children: ReactNode
}

export function TabList({ label, value, tabs, onChange, children }: Props) {
  const id = useId()
  const list = useRef<HTMLDivElement>(null)
  useShownInRow(list, '[aria-selected=true]', value)
  const move = (event: KeyboardEvent) => {
    const at = tabs.findIndex((tab) => tab.value === value)
    const next = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key]
    if (next === undefined) return
    event.preventDefault()
    const to = (next + tabs.length) % tabs.length
    onChange(tabs[to]!.value)
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[to]?.focus()
  }
  return (
    <>
      <div className="tabs" role="tablist" aria-label={label} ref={list} onKeyDown={move}>
        {tabs.map((tab) => (
          <button
            key={tab.value}
            type="button"
            role="tab"
            id={`${id}-${tab.value}`}
            aria-selected={tab.value === value}
            aria-controls={`${id}-panel`}
            tabIndex={tab.value === value ? 0 : -1}
            className={tab.value === value ? 'tab tab-chosen' : 'tab'}
            onClick={() => onChange(tab.value)}
          >
            {tab.label}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </>
  )
}
