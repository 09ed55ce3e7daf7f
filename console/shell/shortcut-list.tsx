// All keyboard shortcuts, from their declarations.
import { useText } from '../data/texts.tsx'
import { ModalDialog } from '../parts/overlay/dialog.tsx'
import { Button } from '../semi.ts'
import type { KeyboardShortcut } from './shortcuts.ts'
import './palette.css'

const MAC = /Mac|iPhone|iPad/.test(navigator.userAgent)

export function ShortcutList({ shortcuts, onClose }: { shortcuts: readonly KeyboardShortcut[]; onClose(): void }) {
  const t = useText()
  return (
    <ModalDialog
      title={t('Keyboard shortcuts')}
      onClose={onClose}
      foot={
        <Button theme="solid" onClick={onClose}>
          {t('Close')}
        </Button>
      }
    >
      {/* Keys scroll a list longer than the window only if something in it has the focus. */}
      <dl className="shortcuts" tabIndex={0}>
        {shortcuts.map(({ keys, title }) => (
          <div key={keys.join(' ')}>
            <dt>
              {keys.map((key) => (
                <kbd key={key}>{shownKey(key)}</kbd>
              ))}
            </dt>
            <dd>{title(t)}</dd>
          </div>
        ))}
      </dl>
    </ModalDialog>
  )
}

const shownKey = (key: string) =>
  key
    .replace('Mod+', MAC ? '⌘ ' : 'Ctrl ')
    .replace('Escape', 'Esc')
    .replace(/ ([a-z])$/, (_all, letter: string) => ` ${letter.toUpperCase()}`)
