// The columns of the list of codes, and the actions on a code.
import { Link } from 'react-router'
import { isCodeExpired, REDEMPTION_STATUS, type RedemptionCode } from '../../../core/redemptions/redemption.ts'
import { useText } from '../../data/texts.tsx'
import { QuotaText } from '../../parts/text/quota.tsx'
import type { TableColumn, RowActions } from '../../parts/table/column.ts'
import { StateTag } from '../../parts/text/tags.tsx'
import { getNowSeconds, RelativeTime } from '../../parts/text/time.tsx'
import { StandaloneWord } from '../../parts/text/word.tsx'
import type { CodeActions } from './use-code-acts.ts'

export function useCodeColumns(): TableColumn<RedemptionCode>[] {
  const t = useText()
  return [
    {
      key: 'id',
      title: t('ID'),
      rank: 6,
      width: 56,
      under: ['name'],
      sort: 'id',
      render: ({ id }) => <span className="number">{id}</span>,
    },
    { key: 'name', title: t('Name'), rank: 1, width: 150, sort: 'name', card: 'title', render: ({ name }) => name },
    {
      key: 'status',
      title: t('Status'),
      rank: 1,
      width: 96,
      sort: 'status',
      card: 'badge',
      render: (code) => <CodeStatus code={code} />,
    },
    {
      key: 'quota',
      title: t('Quota'),
      rank: 1,
      width: 90,
      card: 'number',
      align: 'right',
      sort: 'quota',
      render: ({ quota }) => <QuotaText value={quota} />,
    },
    {
      key: 'created',
      title: t('Created'),
      rank: 2,
      width: 110,
      card: 'number',
      sort: 'created_time',
      render: ({ created_time }) => <RelativeTime seconds={created_time} />,
    },
    {
      key: 'expires',
      title: t('Expires'),
      rank: 4,
      width: 110,
      under: ['created'],
      sort: 'expired_time',
      render: ({ expired_time }) =>
        expired_time > 0 ? <RelativeTime seconds={expired_time} /> : <StandaloneWord>{t('never')}</StandaloneWord>,
    },
    { key: 'remark', title: t('Remark'), rank: 5, width: 130, under: ['name'], render: ({ remark }) => remark },
    { key: 'redeemer', title: t('Redeemer ID'), rank: 2, width: 90, render: (code) => <RedeemerCell code={code} /> },
    {
      key: 'redeemed',
      title: t('Redeemed'),
      rank: 3,
      width: 110,
      under: ['redeemer'],
      sort: 'redeemed_time',
      render: ({ redeemed_time }) =>
        redeemed_time > 0 ? <RelativeTime seconds={redeemed_time} /> : <StandaloneWord>{t('none')}</StandaloneWord>,
    },
  ]
}

/** The user who redeemed it, with a link. */
export function RedeemerCell({ code: { used_user_id: id } }: { code: RedemptionCode }) {
  const t = useText()
  return id === 0 ? <StandaloneWord>{t('none')}</StandaloneWord> : <Link to={`/user/${id}`}>{`#${id}`}</Link>
}

export function CodeStatus({ code }: { code: Pick<RedemptionCode, 'status' | 'expired_time'> }) {
  const t = useText()
  const { status } = code
  if (status === REDEMPTION_STATUS.unused && isCodeExpired(code, getNowSeconds()))
    return <StateTag color="grey">{t('expired')}</StateTag>
  if (status === REDEMPTION_STATUS.unused) return <StateTag color="green">{t('unused')}</StateTag>
  if (status === REDEMPTION_STATUS.disabled) return <StateTag color="red">{t('disabled')}</StateTag>
  return status === REDEMPTION_STATUS.used ? (
    <StateTag color="grey">{t('used')}</StateTag>
  ) : (
    <StateTag color="white">{t('unknown', { context: 'state' })}</StateTag>
  )
}

interface CodeDialogs {
  view(code: RedemptionCode): void
  edit(code: RedemptionCode): void
  batch(code: RedemptionCode): void
}

/** Used codes cannot be changed. Disabled ones must be enabled before they can be edited. */
export function useCodeActions({ copy, turn, remove }: CodeActions, { view, edit, batch }: CodeDialogs) {
  const t = useText()
  return (code: RedemptionCode): RowActions => {
    const isUsed = code.status === REDEMPTION_STATUS.used
    const isUnused = code.status === REDEMPTION_STATUS.unused
    return {
      verb: { key: 'copy', label: t('Copy'), run: () => void copy(code.key) },
      more: [
        { key: 'view', label: t('View'), run: () => view(code) },
        {
          key: 'edit',
          label: t('Edit'),
          disabled: isUnused ? undefined : t('Only unused codes can be changed.'),
          run: () => edit(code),
        },
        {
          key: 'toggle',
          label: isUnused ? t('Disable') : t('Enable'),
          disabled: isUsed ? t('This code has been used.') : undefined,
          run: () => void turn([code], isUnused ? REDEMPTION_STATUS.disabled : REDEMPTION_STATUS.unused),
        },
        { key: 'batch', label: t('Batch'), run: () => batch(code) },
        { key: 'delete', label: t('Delete'), danger: true, divider: true, run: () => void remove([code]) },
      ],
    }
  }
}
