using Polyjuice.Embedded.Serialization;

namespace Polyjuice.Embedded.Tests.Serialization;

public sealed class ExceptionCodecTests
{
    [Fact]
    public void A_framework_exception_arrives_as_itself_with_its_stack_and_inner_exception()
    {
        var thrown = Thrown(new InvalidOperationException("outer", new ArgumentException("inner", "name")));
        var carried = Carry.Across<Exception>(thrown);
        Assert.IsType<InvalidOperationException>(carried);
        Assert.Equal("outer", carried.Message);
        Assert.Contains(nameof(Thrown), carried.StackTrace);
        Assert.Equal(thrown.InnerException!.Message, Assert.IsType<ArgumentException>(carried.InnerException).Message);
        Assert.Equal(thrown.HResult, carried.HResult);
    }

    [Fact]
    public void A_generated_exception_keeps_its_members()
    {
        var carried = Assert.IsType<OverdrawnException>(Carry.Across<Exception>(Thrown(new OverdrawnException("too much", 7))));
        Assert.Equal(("too much", 7), (carried.Message, carried.Missing));
        Assert.Contains(nameof(Thrown), carried.StackTrace);
        Assert.Contains("too much", carried.ToString());
    }

    [Fact]
    public void An_exception_that_cannot_be_made_again_arrives_under_its_name()
    {
        var carried = Assert.IsType<UnavailableExceptionFallbackException>(Carry.Across<Exception>(new Peculiar(3)));
        Assert.Equal(typeof(Peculiar).FullName, carried.ExceptionType);
        Assert.Equal("peculiar", carried.Message);
    }

    [Fact]
    public void Aggregates_keep_all_their_exceptions()
    {
        var carried = Assert.IsType<AggregateException>(Carry.Across<Exception>(new AggregateException("many", new OverdrawnException("a", 1), new TimeoutException("b"))));
        Assert.Collection(carried.InnerExceptions, static e => Assert.Equal(1, ((OverdrawnException)e).Missing), static e => Assert.IsType<TimeoutException>(e));
        Assert.StartsWith("many (a)", carried.Message);
    }

    [Fact]
    public void Exceptions_are_members_too()
    {
        Assert.Equal("t", Carry.Across(new TimeoutException("t")).Message);
        Assert.Equal(2, Carry.Across(new OverdrawnException("o", 2)).Missing);
        Assert.IsType<Exception>(Carry.Across(new Exception("plain")));
        Assert.IsType<FormatException>(Carry.Across<object>(new FormatException("f")));
    }

    private static Exception Thrown(Exception exception) => Assert.Throws(exception.GetType(), void () => throw exception);

    private sealed class Peculiar(int reason) : Exception("peculiar")
    {
        public int Reason { get; } = reason;
    }
}
