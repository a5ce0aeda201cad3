"""The games with mistakes are data: nobody imports them."""

collect_ignore = ["games"]
