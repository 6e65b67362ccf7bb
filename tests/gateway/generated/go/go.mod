module play

go 1.19
