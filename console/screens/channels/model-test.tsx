// Tests which models of a channel work with which of its keys: one small call per cell, live, a few at a time.
import { IconChevronLeft, IconChevronRight } from '@douyinfe/semi-icons'
import { useState, type KeyboardEvent } from 'react'
import { apiClient, quietClient } from '../../data/client.ts'
import { showNotice } from '../../data/notify.ts'
import { useAction, useEndpointWithError } from '../../data/use-endpoint.ts'
import { useFormat } from '../../data/use-format.ts'
import { type TestCase, TestCell, TestColumn, useTestRun } from './tests.tsx'
import { cutPageRows } from '../../data/use-paging.ts'
import { useText } from '../../data/texts.tsx'
import { askConfirmation } from '../../parts/overlay/confirm.tsx'
import { ModalDialog } from '../../parts/overlay/dialog.tsx'
import { EmptyState } from '../../parts/status/empty.tsx'
import { TablePager } from '../../parts/table/pager.tsx'
import { LoadingIndicator } from '../../parts/status/waiting.tsx'
import { Button, Input } from '../../semi.ts'
import { matchesChannelKey } from './key-state.ts'
import './model-test.css'
import { getTestAdvice } from './test-advice.ts'

interface Props {
  id: number
  /** Name of the channel. */
  name: string
  models: readonly string[]
  /** Called when tests have finished or a key was switched. */
  onTested(): void
  onClose(): void
}

/** Number of key columns per page. */
const KEYS_AT_ONCE = 5
/** More calls than this need a confirmation. */
const MANY = 100

export function ModelTest({ id, name, models, onTested, onClose }: Props) {
  const t = useText()
  const format = useFormat()
  const list = useEndpointWithError(['channels.keys', id], () => apiClient.channels.keys({ id }))
  const run = useTestRun(
    async ({ model, key }) => (await quietClient.channels.test({ id, model, ...(key ? { key } : {}) })).time * 1000,
    () => {
      list.reload()
      onTested()
    },
  )
  const [find, setFind] = useState('')
  const [findKey, setFindKey] = useState('')
  const [page, setPage] = useState(1)
  const [size, setSize] = useState(20)
  const [from, setFrom] = useState(0)

  const all = list.data ?? []
  const keys = all.filter((key) => matchesChannelKey(key, findKey))
  const found = models.filter((model) => model.toLowerCase().includes(find.trim().toLowerCase()))
  const rows = cutPageRows(found, { page: Math.min(page, Math.max(1, Math.ceil(found.length / size))), size })
  const columns = keys.slice(from, from + KEYS_AT_ONCE)
  const isOnly = all.length === 1
  const spots = (of: readonly string[], with_: readonly { fingerprint: string }[]): TestCase[] =>
    of.flatMap((model) => with_.map(({ fingerprint }) => ({ model, key: fingerprint })))
  const start = async (some: readonly TestCase[]) => {
    const title = t('Send {n} small calls?', { n: format.number(some.length) })
    if (
      some.length > MANY &&
      !(await askConfirmation({
        title,
        body: t(
          'Each call goes to the provider, a few at a time. They are free of charge here, but the provider may bill them.',
        ),
        yes: t('Send them'),
        harmless: true,
      }))
    )
      return
    run.start(some)
  }
  const [enable] = useAction(async (fingerprint: string, key: string) => {
    const { data } = await apiClient.channels.manageKeys({ id, keys: [fingerprint], action: 'enable' })
    list.change(() => data)
    showNotice.success(t('Key {key} enabled', { key }))
    onTested()
  })

  const { waiting, running, passed, failed } = run.counts()
  const whole = found.length * keys.length
  const done = passed + failed
  const failures = failed === 0 ? [] : spots(models, all).filter((spot) => run.outcomeOf(spot)?.state === 'failed')
  const kinds = new Set(
    failures.map((spot) => {
      const outcome = run.outcomeOf(spot)
      return outcome?.state === 'failed' ? outcome.kind : undefined
    }),
  )
  const advice = [...kinds].map((kind) => getTestAdvice(kind, t)).filter((text) => text !== undefined)
  const count = (n: number) => format.number(n)
  return (
    <ModalDialog
      title={t('Test {name}', { name })}
      wide
      onClose={onClose}
      foot={
        <>
          <span className="dialog-aside hint" role="status">
            {run.isResting()
              ? t('The server is busy: testing continues in a few seconds.')
              : done + waiting + running > 0 &&
                t('{done} of {n} tested, {failed} failed', {
                  done: count(done),
                  n: count(done + waiting + running),
                  failed: count(failed),
                })}
          </span>
          {run.isOn() ? (
            <Button onClick={run.stop}>{t('Stop')}</Button>
          ) : (
            <>
              {failures.length > 0 && (
                <Button onClick={() => void start(failures)}>{t('Test the failed ones again')}</Button>
              )}
              <Button theme="solid" disabled={whole === 0} onClick={() => void start(spots(found, keys))}>
                {t('Test all {n}', { n: count(whole) })}
              </Button>
            </>
          )}
        </>
      }
    >
      {list.error ? (
        <EmptyState failed title={list.error}>
          <Button onClick={list.reload}>{t('Try again')}</Button>
        </EmptyState>
      ) : !list.data ? (
        <LoadingIndicator />
      ) : (
        <>
          <div className="matrix-find">
            <Input
              aria-label={t('Search models')}
              placeholder={t('Search models')}
              value={find}
              showClear
              onChange={(text) => {
                setFind(text)
                setPage(1)
              }}
            />
            {all.length > KEYS_AT_ONCE && (
              <Input
                aria-label={t('Search keys by first or last characters, fingerprint or reason')}
                placeholder={t('Search keys by first or last characters, fingerprint or reason')}
                value={findKey}
                showClear
                onChange={(text) => {
                  setFindKey(text)
                  setFrom(0)
                }}
              />
            )}
          </div>
          <p className="hint matrix-found" role="status">
            {t('{n} of {total} models', { n: count(found.length), total: count(models.length) })}
            {keys.length > columns.length && (
              <>
                <span>
                  {t('Keys {start} - {end} of {total}', {
                    start: count(from + 1),
                    end: count(from + columns.length),
                    total: count(keys.length),
                  })}
                </span>
                <Button
                  size="small"
                  theme="borderless"
                  aria-label={t('Previous keys')}
                  disabled={from === 0}
                  icon={<IconChevronLeft aria-hidden />}
                  onClick={() => setFrom(from - KEYS_AT_ONCE)}
                />
                <Button
                  size="small"
                  theme="borderless"
                  aria-label={t('Next keys')}
                  disabled={from + KEYS_AT_ONCE >= keys.length}
                  icon={<IconChevronRight aria-hidden />}
                  onClick={() => setFrom(from + KEYS_AT_ONCE)}
                />
              </>
            )}
          </p>
          {found.length === 0 || keys.length === 0 ? (
            <p className="hint">{found.length === 0 ? t('No model matches') : t('No key matches')}</p>
          ) : (
            <table className="matrix" onKeyDown={moveInTable}>
              <thead>
                <tr>
                  <th scope="col">{t('Model')}</th>
                  {columns.map((key) => (
                    <th key={key.fingerprint} scope="col">
                      {isOnly ? (
                        t('Result')
                      ) : (
                        <TestColumn
                          shown={key}
                          works={models.some(
                            (model) => run.outcomeOf({ model, key: key.fingerprint })?.state === 'passed',
                          )}
                          test={() => void start(spots(found, [key]))}
                          enable={() => void enable(key.fingerprint, key.key)}
                        />
                      )}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {rows.rows.map((model) => (
                  <tr key={model}>
                    <th scope="row">
                      {isOnly ? (
                        model
                      ) : (
                        <button
                          type="button"
                          className="matrix-name"
                          aria-label={t('Test {model} with every key', { model })}
                          data-tip={t('Test {model} with every key', { model })}
                          onClick={() => void start(spots([model], keys))}
                        >
                          {model}
                        </button>
                      )}
                    </th>
                    {columns.map((key) => (
                      <td key={key.fingerprint} data-key={isOnly ? undefined : `${key.place} ${key.key}`}>
                        <TestCell
                          model={model}
                          shown={isOnly ? undefined : key}
                          outcome={run.outcomeOf({ model, key: key.fingerprint })}
                          test={() => run.start([{ model, key: key.fingerprint }])}
                        />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          )}
          {advice.length > 0 && (
            <ul className="matrix-advice hint">
              {advice.map((text) => (
                <li key={text}>{text}</li>
              ))}
            </ul>
          )}
          {found.length > size && (
            <TablePager
              data={rows}
              paging={{
                page: rows.page,
                size,
                show: setPage,
                resize(next) {
                  setSize(next)
                  setPage(1)
                },
              }}
            />
          )}
        </>
      )}
    </ModalDialog>
  )
}

const STEPS: Readonly<Record<string, readonly [down: number, right: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
}

/** Moves the focus from cell to cell with the arrow keys. */
function moveInTable(event: KeyboardEvent<HTMLTableElement>) {
  const step = STEPS[event.key]
  const cell = (event.target as HTMLElement).closest<HTMLTableCellElement>('td, th')
  const row = cell?.closest('tr')
  if (!step || !cell || !row) return
  const to = event.currentTarget.rows[row.rowIndex + step[0]]?.cells[cell.cellIndex + step[1]]
  const target = to?.querySelector<HTMLElement>('button')
  if (!target) return
  event.preventDefault()
  target.focus()
}
