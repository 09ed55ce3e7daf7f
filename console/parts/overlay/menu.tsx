// Menus: one for the whole page, shown next to the element that opened it. (ARIA's menu button.)
import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { createHandlerSlot } from '../../data/page-state.ts'
import { placeBox, useTopLayer } from './top-layer.ts'
import './menu.css'

export interface MenuItem {
  key: string
  label: ReactNode
  run(): void
  icon?: ReactNode
  danger?: boolean
  /** The reason why it is disabled. */
  disabled?: string
  /** It is the current choice. */
  chosen?: boolean
  /** A line separates it from the entries above. */
  divider?: boolean
}

interface Open {
  anchor: HTMLElement
  label: string
  items: readonly MenuItem[]
  head?: ReactNode
}

const showMenu = createHandlerSlot<(open: Open) => void>()

/** Opens the menu at an element; a second click closes it. */
export const openMenu = (anchor: HTMLElement, label: string, items: readonly MenuItem[], head?: ReactNode): void =>
  showMenu.get()?.({ anchor, label, items, head })

/** The menu. */
export function MenuHost() {
  const layer = useTopLayer()
  const [open, setOpen] = useState<Open | null>(null)
  const current = useRef<Open | null>(null)
  current.current = open
  useEffect(() => showMenu.register((next) => setOpen(current.current?.anchor === next.anchor ? null : next)), [])
  if (!open) return null
  return createPortal(<Menu key={open.label} {...open} close={() => setOpen(null)} />, layer)
}

function Menu({ anchor, label, items, head, close }: Open & { close(): void }) {
  const box = useRef<HTMLDivElement>(null)
  useLayoutEffect(() => {
    const menu = box.current!
    menu.showPopover()
    place(menu, anchor)
    const chosen = menu.querySelector<HTMLElement>('[aria-checked=true]')
    ;(chosen ?? listEntries(menu)[0])?.focus()
    anchor.setAttribute('aria-expanded', 'true')
    return () => anchor.setAttribute('aria-expanded', 'false')
  }, [anchor])
  useEffect(() => {
    const onPointerDown = ({ target }: Event) => {
      if (!box.current?.contains(target as Node) && !anchor.contains(target as Node)) close()
    }
    const moved = ({ target }: Event) => {
      const menu = box.current
      if (!menu || menu.contains(target as Node)) return
      // The menu follows the element that opened it: the page may still be scrolling to it.
      if (isInView(anchor)) place(menu, anchor)
      else close()
    }
    document.addEventListener('pointerdown', onPointerDown, true)
    document.addEventListener('scroll', moved, true)
    window.addEventListener('resize', close)
    return () => {
      document.removeEventListener('pointerdown', onPointerDown, true)
      document.removeEventListener('scroll', moved, true)
      window.removeEventListener('resize', close)
    }
  })
  const leave = () => {
    close()
    anchor.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const entries = listEntries(box.current!)
    const at = entries.indexOf(document.activeElement as HTMLElement)
    const to = STEPS[event.key]?.(at, entries.length) ?? startingWith(entries, at, event.key)
    if (event.key === 'Escape' || event.key === 'Tab') leave()
    else if (to === undefined) return
    else entries[to]?.focus()
    if (event.key === 'Tab') return
    event.preventDefault()
    event.stopPropagation()
  }
  return (
    <div ref={box} popover="manual" className="floating menu-box" onKeyDown={onKeyDown}>
      {head && <div className="menu-head">{head}</div>}
      <div role="menu" aria-label={label}>
        {items.map(({ key, label: shown, run, icon, danger, disabled, chosen, divider }) => (
          <button
            key={key}
            type="button"
            role={chosen === undefined ? 'menuitem' : 'menuitemradio'}
            aria-checked={chosen}
            aria-disabled={disabled !== undefined}
            tabIndex={-1}
            className={`menu-item${danger ? ' menu-danger' : ''}${divider ? ' menu-apart' : ''}`}
            onClick={() => {
              if (disabled !== undefined) return
              leave()
              run()
            }}
          >
            {icon}
            <span>
              {shown}
              {disabled && <small>{disabled}</small>}
            </span>
          </button>
        ))}
      </div>
    </div>
  )
}

function place(menu: HTMLElement, anchor: HTMLElement) {
  const { left, top } = placeBox(anchor.getBoundingClientRect(), menu.getBoundingClientRect(), 'end')
  menu.style.left = `${left}px`
  menu.style.top = `${top}px`
}

function isInView(element: HTMLElement): boolean {
  const { top, bottom, height } = element.getBoundingClientRect()
  return height > 0 && bottom > 0 && top < window.innerHeight
}

const listEntries = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('.menu-item')]

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_at, count) => count - 1,
}

/** Returns the next entry that begins with the letter. */
function startingWith(entries: HTMLElement[], at: number, key: string): number | undefined {
  if (key.length !== 1 || key === ' ') return undefined
  const turned = entries.map((_, index) => (at + 1 + index) % entries.length)
  return turned.find((index) => entries[index]?.innerText.toLowerCase().startsWith(key.toLowerCase()))
}

/** Returns the attributes of an element that opens a menu. */
export const buildMenuAttributes = (label: string, items: () => readonly MenuItem[], head?: ReactNode) => ({
  'aria-haspopup': 'menu' as const,
  onClick: (event: { currentTarget: EventTarget | null }) =>
    openMenu(event.currentTarget as HTMLElement, label, items(), head),
})
