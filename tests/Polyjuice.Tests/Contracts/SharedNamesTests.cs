using System.Text;
using Polyjuice.Contracts;

namespace Polyjuice.Tests.Contracts;

public class SharedNamesTests
{
    [Theory]
    [InlineData("")]
    [InlineData("checking")]
    [InlineData("naïve/日本")]
    public void One_name_is_one_string(string name)
    {
        var bytes = Encoding.UTF8.GetBytes(name);
        var first = SharedNames.Get(bytes);
        Assert.Equal(name, first);
        Assert.Same(first, SharedNames.Get(bytes));
    }

    [Fact]
    public void A_long_name_is_read_all_the_same()
    {
        var name = new string('ï', 1_000);
        Assert.Equal(name, SharedNames.Get(Encoding.UTF8.GetBytes(name)));
    }

    [Fact]
    public void However_many_names_there_are_each_is_read_right()
    {
        for (var i = 0; i < 3_000; i++) Assert.Equal($"name {i}", SharedNames.Get(Encoding.UTF8.GetBytes($"name {i}")));
    }
}
