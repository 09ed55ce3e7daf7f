import { loadLater } from '../../parts/load-later.ts'
import { useText } from '../../data/texts.tsx'

// The open conversation, and the actions on it.
import { IconCode, IconMore, IconPlus } from '@douyinfe/semi-icons'
import { useState } from 'react'
import { SegmentedChoice } from '../../parts/form/choice.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { FormField } from '../../parts/form/field.tsx'
import { buildMenuAttributes } from '../../parts/overlay/menu.tsx'
import { Button, Input } from '../../semi.ts'
import { MAX_STORED_CONVERSATIONS } from './kept.ts'
import type { OpenConversation } from './use-conversation.ts'

const CodeDialog = loadLater(async () => (await import('./code-dialog.tsx')).RequestCodeDialog)

export function ConversationBar({ open }: { open: OpenConversation }) {
  const t = useText()
  const { conversation, heads } = open
  const [shown, setShown] = useState<'code' | 'name' | null>(null)
  const isKept = heads.some(({ id }) => id === conversation.id)
  const exportConversation = async (form: 'exportMarkdown' | 'exportJson') => {
    const made = await import('./exported.ts')
    made[form](conversation, t)
  }
  return (
    <>
      {heads.length > 0 && (
        <span
          className="playground-which"
          data-tip={t('The latest {n} conversations are stored in this browser only.', {
            n: MAX_STORED_CONVERSATIONS,
          })}
        >
          <SegmentedChoice
            label={t('Conversation')}
            value={isKept ? conversation.id : ''}
            onChange={(id) => (id === '' ? open.begin() : open.open(id))}
            options={[
              { value: '', label: t('New conversation') },
              ...heads.map(({ id, name }) => ({ value: id, label: name || t('New conversation') })),
            ]}
          />
        </span>
      )}
      <Button type="tertiary" icon={<IconCode aria-hidden />} onClick={() => setShown('code')}>
        {t('View code')}
      </Button>
      <Button type="tertiary" icon={<IconPlus aria-hidden />} aria-keyshortcuts="n" onClick={open.begin}>
        {t('New conversation')}
      </Button>
      <Button
        theme="borderless"
        type="tertiary"
        icon={<IconMore aria-hidden />}
        aria-label={t('More of this conversation')}
        {...buildMenuAttributes(t('More of this conversation'), () => [
          ...(isKept ? [{ key: 'rename', label: t('Rename'), run: () => setShown('name') }] : []),
          { key: 'markdown', label: t('Export as Markdown'), run: () => void exportConversation('exportMarkdown') },
          { key: 'json', label: t('Export as JSON'), run: () => void exportConversation('exportJson') },
          ...(isKept
            ? [
                {
                  key: 'delete',
                  label: t('Delete conversation'),
                  danger: true,
                  divider: true,
                  run: () => void open.remove(),
                },
              ]
            : []),
        ])}
      />
      {shown === 'code' && <CodeDialog conversation={conversation} onClose={() => setShown(null)} />}
      {shown === 'name' && <NameDialog name={conversation.name} rename={open.rename} onClose={() => setShown(null)} />}
    </>
  )
}

function NameDialog({ name, rename, onClose }: { name: string; rename(name: string): void; onClose(): void }) {
  const t = useText()
  const [draft, setDraft] = useState(name)
  const [isSubmitted, setSubmitted] = useState(false)
  const nameless = draft.trim() === ''
  const save = () => {
    setSubmitted(true)
    if (nameless) return
    rename(draft.trim())
    onClose()
  }
  return (
    <ModalDialog
      title={t('Rename the conversation')}
      onClose={onClose}
      onSubmit={save}
      foot={
        <Button theme="solid" htmlType="submit">
          {t('Save')}
        </Button>
      }
    >
      <FormField label={t('Name')} required error={isSubmitted && nameless ? t('enter a name') : undefined}>
        <Input aria-label={t('Name')} maxLength={60} value={draft} onChange={setDraft} />
      </FormField>
    </ModalDialog>
  )
}
