import { z } from 'zod'
import { FileDownload } from '../contract/replies.ts'
import { endpoint } from '../contract/endpoint.ts'
import { declareShapeFields } from '../contract/field.ts'
import { words } from '../errors.ts'
import { backupFields } from './backup-fields.data.ts'

export const backupsContract = {
  make: endpoint({
    method: 'POST',
    path: '/api/backup',
    access: 'root',
    scope: 'all',
    proof: true,
    summary: words('Everything as of this moment, as a file that `weir restore` reads; without the master secret'),
    body: z.object(declareShapeFields(backupFields, { prove: z.boolean().default(true) })),
    reply: FileDownload,
  }),
}
