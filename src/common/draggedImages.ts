/** MIME type of images that are dragged from the task list or the studio: JSON, the task and the index of each. */
export const draggedImagesType = 'application/vnd.limner.images';
