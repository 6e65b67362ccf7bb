"""Who calls, and what that lets them do."""
