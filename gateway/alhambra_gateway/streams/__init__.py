"""Events of a game over HTTP: as Server-Sent Events while they happen, or as JSON pages for clients that poll."""
