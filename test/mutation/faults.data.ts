// Faults that people make, over the parts of the product that no mutants are drawn from: HTTP, storage, terminal and console.

export interface Fault {
  /** From the root. */
  file: string
  /** Stands there once. */
  find: string
  replace: string
  name: string
}

export const faults: readonly Fault[] = [
  {
    name: 'a wrong token for the metrics is answered with 403',
    file: 'http/metrics.ts',
    find: `end(response, 401, {`,
    replace: `end(response, 403, {`,
  },
  {
    name: 'everybody may read the whole log',
    file: 'core/logs/contract.ts',
    find: `path: '/api/log/',
    access: 'admin',
    scope: 'read',
    summary: words('The usage log of all users`,
    replace: `path: '/api/log/',
    access: 'user',
    scope: 'read',
    summary: words('The usage log of all users`,
  },
  {
    name: 'a token is shown to others than its owner',
    file: 'core/tokens/feature.ts',
    find: `return token && token.user_id === owner(caller).id ? token : fail('token.missing')`,
    replace: `return token && owner(caller).id > 0 ? token : fail('token.missing')`,
  },
  {
    name: 'a refused call is not told when to try again',
    file: 'http/refuse.ts',
    find: `  if (failure.retry_after_ms) headers.push('retry-after', String(Math.ceil(failure.retry_after_ms / 1000)))\n`,
    replace: '',
  },
  {
    name: 'a foreign page may use a session',
    file: 'http/session.ts',
    find: `  if (known && guarded && context.get('sec-fetch-site') === 'cross-site') throw new GatewayError('access.cross_site')\n`,
    replace: '',
  },
  {
    name: 'the last page of models says that there are more',
    file: 'http/model-lists.ts',
    find: `before === undefined ? to < models.length : from > 0`,
    replace: `before === undefined ? to <= models.length : from > 0`,
  },
  {
    name: 'X-Forwarded-For is believed one proxy too far',
    file: 'http/peer.ts',
    find: `while (hops.length > 0 && isListed(proxies, address)) {`,
    replace: `while (hops.length > 0) {`,
  },
  {
    name: 'the page of the console is kept by browsers for a year',
    file: 'http/console.ts',
    find: `served(page, PAGE, 'no-cache')`,
    replace: 'served(page, PAGE, `max-age=${ONE_YEAR_SECONDS}`)',
  },
  {
    name: 'an order is paid twice',
    file: 'core/adapters/knex/accounts/payments.ts',
    find: `        .whereNot({ status: 'success' })
        .update({ status: 'success',`,
    replace: `        .update({ status: 'success',`,
  },
  {
    name: 'who has used a code is lost',
    file: 'core/adapters/knex/accounts/payments.ts',
    find: `.update({ status: REDEMPTION_STATUS.used, used_user_id: user_id, redeemed_time: time })) > 0,`,
    replace: `.update({ status: REDEMPTION_STATUS.used, redeemed_time: user_id && time })) > 0,`,
  },
  {
    name: 'the session that is kept ends with the others',
    file: 'core/adapters/knex/accounts/sessions.ts',
    find: `.whereNot({ id: toStorableId(keptId) })`,
    replace: `.whereNot({ id: toStorableId(-keptId) })`,
  },
  {
    name: 'tokens a minute leave out those of the answers',
    file: 'core/adapters/knex/logs/logs.ts',
    find: `cast(coalesce(sum(prompt_tokens + completion_tokens), 0) as bigint) as tpm`,
    replace: `cast(coalesce(sum(prompt_tokens), 0) as bigint) as tpm`,
  },
  {
    name: 'a search of the log gives the oldest rows first',
    file: 'core/adapters/knex/logs/logs.ts',
    find: `        .select(table.columns)
        .orderBy('id', 'desc')
        .limit(limit)
      return withNames(rows)`,
    replace: `        .select(table.columns)
        .orderBy('id', 'asc')
        .limit(limit)
      return withNames(rows)`,
  },
  {
    name: 'deleted tokens stay in the list of their team',
    file: 'core/adapters/knex/accounts/tokens.ts',
    find: `        read('tokens')
          .whereNull('deleted_at')
          .where({ team_id: toStorableId(teamId) })`,
    replace: `        read('tokens').where({ team_id: toStorableId(teamId) })`,
  },
  {
    name: 'quarters that are counted anew are counted twice in their days',
    file: 'core/adapters/knex/logs/usage.ts',
    find: `times: ' * -1'`,
    replace: `times: ''`,
  },
  {
    name: 'the second page of a list repeats the last row of the first',
    file: 'core/adapters/knex/sql/paging.ts',
    find: `query.limit(limit).offset(Math.min(Math.max(0, Math.trunc(offset)), Number.MAX_SAFE_INTEGER))`,
    replace: `query.limit(limit).offset(Math.min(Math.max(0, Math.trunc(offset) - 1), Number.MAX_SAFE_INTEGER))`,
  },
  {
    name: 'a wrong flag ends with the exit code of a failure',
    file: 'cli/failure.ts',
    find: `usage: 2,`,
    replace: `usage: 1,`,
  },
  {
    name: 'a part of a quota unit is rounded',
    file: 'cli/input/amount.ts',
    find: `    if (units === 'fraction') throw new UsageError(fillTemplate(TOO_FINE, { flag, text, units: quota_per_unit }))`,
    replace: `    void TOO_FINE
    if (units === 'fraction') return Math.round(Number(typed.number) * quota_per_unit)`,
  },
  {
    name: 'the filter by group does nothing',
    file: 'cli/commands/users.ts',
    find: `search({ ...query, keyword, group, role, status })`,
    replace: `search({ ...query, keyword, group: '', role, status })`,
  },
  {
    name: 'a user is deregistered without a question',
    file: 'cli/commands/users.ts',
    find: `    await sure(fillTemplate(chosen.length === 1 ? REMOVE : REMOVE_MANY, { names, count: chosen.length }))`,
    replace: `    void [sure, REMOVE, REMOVE_MANY, names]`,
  },
  {
    name: 'a top-up replaces the balance',
    file: 'cli/commands/users.ts',
    find: `const quota = before.quota + added`,
    replace: `const quota = added`,
  },
  {
    name: 'the words for enabled and disabled are swapped',
    file: 'cli/commands/tokens/index.ts',
    find: `done: words('Token {id} "{name}" is disabled.')`,
    replace: `done: words('Token {id} "{name}" is enabled.')`,
  },
  {
    name: 'the flag for the file of an export is lost',
    file: 'cli/commands/logs/look.ts',
    find: `await writeOutputFile(print, pieces, options.out)`,
    replace: `await writeOutputFile(print, pieces, undefined)`,
  },
  {
    name: 'a menu does not give the focus back',
    file: 'console/parts/overlay/menu.tsx',
    find: `    close()
    anchor.focus()`,
    replace: `    close()`,
  },
  {
    name: 'the left arrow leads to the next tab',
    file: 'console/parts/tabs.tsx',
    find: `ArrowLeft: at - 1`,
    replace: `ArrowLeft: at + 1`,
  },
  {
    name: 'what destroys something is done without a question',
    file: 'console/parts/overlay/confirm.tsx',
    find: `    if (await askConfirmation({ title: question, body, yes, undoable })) await onConfirm()`,
    replace: `    void { question, body, yes, undoable }
    await onConfirm()`,
  },
  {
    name: 'what was typed into a panel is thrown away without a question',
    file: 'console/parts/overlay/side-panel.tsx',
    find: `const changed = touched && now !== initialDraft`,
    replace: `const changed = touched && now === initialDraft`,
  },
  {
    name: 'a used code is called disabled',
    file: 'console/screens/redemptions/columns.tsx',
    find: `<StateTag color="grey">{t('used')}</StateTag>`,
    replace: `<StateTag color="grey">{t('disabled')}</StateTag>`,
  },
  {
    name: 'users see the pages of administrators in the menu',
    file: 'console/shell/side-menu.tsx',
    find: `(isAdmin || (access !== 'admin' && menu.group !== 'admin'))`,
    replace: `(isAdmin || access !== 'public')`,
  },
  {
    name: 'a pager counts its rows from one too many',
    file: 'console/parts/table/pager.tsx',
    find: `const start = (paging.page - 1) * paging.size + 1`,
    replace: `const start = (paging.page - 1) * paging.size + 2`,
  },
]
