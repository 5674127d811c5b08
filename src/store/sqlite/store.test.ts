import { describeStore } from '../../../test/kit/store.js'
import { openStore } from '../index.js'

describeStore('SQLite', async (workspace) => openStore(workspace, 'test'))
