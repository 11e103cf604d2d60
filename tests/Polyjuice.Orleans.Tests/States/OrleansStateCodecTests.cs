using System.Buffers;
using Microsoft.Extensions.DependencyInjection;
using Orleans;
using Orleans.Serialization;
using Orleans.Transactions;
using Orleans.Transactions.Abstractions;
using Polyjuice.Orleans.States;

namespace Polyjuice.Orleans.Tests.States;

public sealed class OrleansStateCodecTests
{
    private static readonly IServiceProvider s_services = new ServiceCollection()
        .AddSerializer()
        .AddSingleton(typeof(ITransactionDataCopier<>), typeof(DefaultTransactionDataCopier<>))
        .AddSingleton(typeof(OrleansStateCodec<>))
        .BuildServiceProvider();

    [Fact]
    public void A_copy_shares_nothing_with_what_it_was_made_of()
    {
        var codec = Codec<First>();
        var value = new First { Name = "a", Lines = { "one" } };
        var copy = codec.Copy(value);
        value.Lines.Add("two");
        Assert.Equal(["one"], copy.Lines);
    }

    [Fact]
    public void What_was_written_is_read_back()
    {
        var read = Reread<First, First>(new First { Name = "a", Lines = { "one", "two" } });
        Assert.Equal("a", read.Name);
        Assert.Equal(["one", "two"], read.Lines);
    }

    [Fact]
    public void A_class_that_has_gained_a_member_reads_what_was_written_before()
    {
        var read = Reread<First, Second>(new First { Name = "a", Lines = { "one" } });
        Assert.Equal("a", read.Name);
        Assert.Equal(["one"], read.Lines);
        Assert.Equal(0, read.Count);
    }

    [Fact]
    public void A_class_that_has_lost_a_member_reads_what_was_written_before() =>
        Assert.Equal("a", Reread<Second, First>(new Second { Name = "a", Count = 7 }).Name);

    [Fact]
    public void Only_classes_that_say_so_are_immutable()
    {
        Assert.False(Codec<First>().IsImmutable);
        Assert.True(Codec<Fixed>().IsImmutable);
    }

    private static OrleansStateCodec<T> Codec<T>() where T : class, new() =>
        s_services.GetRequiredService<OrleansStateCodec<T>>();

    private static TRead Reread<TWritten, TRead>(
        TWritten value) where TWritten : class, new() where TRead : class, new()
    {
        var output = new ArrayBufferWriter<byte>();
        Codec<TWritten>().Encode(value, output);
        return Codec<TRead>().Decode(output.WrittenSpan);
    }

    [GenerateSerializer]
    internal sealed class First
    {
        [Id(0)]
        public string Name { get; set; } = "";

        [Id(1)]
        public List<string> Lines { get; set; } = [];
    }

    [GenerateSerializer]
    internal sealed class Second
    {
        [Id(0)]
        public string Name { get; set; } = "";

        [Id(1)]
        public List<string> Lines { get; set; } = [];

        [Id(2)]
        public int Count { get; set; }
    }

    [GenerateSerializer, Immutable]
    internal sealed class Fixed
    {
        [Id(0)]
        public int Count { get; init; }
    }
}
