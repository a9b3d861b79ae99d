export { removeTemplates as default } from './template.ts';
