using Polyjuice.Orleans.Calls;

namespace Polyjuice.Orleans.Tests.Calls;

public sealed class CallNumberTests
{
    [Fact]
    public void Calls_of_a_process_are_numbered_one_after_the_other()
    {
        var (process, number) = CallNumber.Read(CallNumber.Next());
        var (same, later) = CallNumber.Read(CallNumber.Next());
        Assert.NotEqual(0, process);
        Assert.Equal(process, same);
        Assert.True(later > number);
        Assert.Equal((long.MaxValue, 3), CallNumber.Read(CallNumber.Of(long.MaxValue, 3)));
    }
}
