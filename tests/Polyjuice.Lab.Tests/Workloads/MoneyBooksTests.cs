using Polyjuice.Lab.Workloads;

namespace Polyjuice.Lab.Tests.Workloads;

public class MoneyBooksTests
{
    [Fact]
    public void Only_the_exact_total_is_accepted_when_nothing_is_in_doubt()
    {
        var books = new MoneyBooks();
        books.Committed(1_000);
        books.Committed(-30);
        Assert.True(books.Check(970, c => $"{c}").Holds);
        Assert.False(books.Check(971, c => $"{c}").Holds);
        Assert.False(books.Check(969, c => $"{c}").Holds);
    }

    [Fact]
    public void What_is_in_doubt_makes_the_total_a_range()
    {
        var books = new MoneyBooks();
        books.Committed(100);
        books.Unknown(-6, -5);
        books.Unknown(10, 10);
        Assert.False(books.Check(93, c => $"{c}").Holds);
        Assert.True(books.Check(94, c => $"{c}").Holds);
        Assert.True(books.Check(110, c => $"{c}").Holds);
        Assert.False(books.Check(111, c => $"{c}").Holds);
        Assert.Equal(2, books.InDoubt);
    }

    [Fact]
    public void A_failed_check_says_what_was_found_and_expected()
    {
        var books = new MoneyBooks();
        books.Committed(100);
        Assert.Equal("MONEY NOT CONSERVED: 90 in all accounts, expected 100", books.Check(90, c => $"{c}").Description);
    }
}
