using System.Buffers;
using Polyjuice.Embedded.Invocation;
using Polyjuice.Embedded.Serialization;
using Polyjuice.Embedded.Tests.Serialization;

namespace Polyjuice.Embedded.Tests.Generators;

public sealed class GeneratedCallTests
{
    private readonly ManifestBuilder _manifest = new(CodecProvider.Shared);
    private readonly Loopback _runtime = new(new TestGrain());

    public GeneratedCallTests() => Assert.True(_manifest.AddAssembly(typeof(ITestGrain).Assembly));

    [Fact]
    public async Task Arguments_and_results_survive_the_way_to_another_silo()
    {
        var grain = Reference();
        Assert.Equal(42, await grain.Balance());
        var into = new Account { Notes = ["a"] };
        var result = await grain.Deposit(5, into, new CancellationToken(true));
        Assert.Equal((5, "cancellable"), (result.Balance, result.Owner));
        Assert.Equal(0, into.Balance);
        Assert.Equal("x", await grain.Name("x", null));
        Assert.Null(await grain.Name(null, grain));
        await grain.Touch(1, 2, 3);
        await grain.Ping();
        await grain.Over(1);
        await grain.Over(["l"]);
        await grain.Keyword(8);
        grain.Forget(Colour.Green);
        await grain.ForgetAgain([1], [2]);
        Assert.Equal(
            ["Balance", "Deposit 5", "Name x ", "Name  test/key", "Touch 123", "Ping", "Over 1", "Over l", "Keyword 8", "Forget Green", "ForgetAgain 12"],
            _runtime.Grain.Log);
    }

    [Fact]
    public async Task An_exception_of_the_grain_reaches_the_caller()
    {
        _runtime.Grain.Fails = true;
        await Assert.ThrowsAsync<TimeoutException>(() => Reference().Ping());
        await Assert.ThrowsAsync<TimeoutException>(() => Reference().Balance());
    }

    [Fact]
    public void Descriptors_tell_what_attributes_say()
    {
        var methods = _manifest.Interfaces[typeof(ITestGrain)].Methods;
        Assert.Equal(Enumerable.Range(0, methods.Count), methods.Select(static m => m.Ordinal));
        Assert.Equal("IBaseGrain.Ping", methods[0].PathElement.Name);
        Assert.All(methods, static m => Assert.Equal("Polyjuice.Embedded.Tests.Generators.ITestGrain", m.InterfaceName));

        var balance = methods.Single(static m => m.MethodName == "Balance");
        Assert.Equal((TransactionOption.CreateOrJoin, true, "audit", false), (balance.Transaction, balance.IsReadOnlyTransaction, balance.PathElement.Label, balance.IsRetryOff));
        var deposit = methods.Single(static m => m.MethodName == "Deposit");
        Assert.Equal((TransactionOption.Create, false, true, TimeSpan.FromSeconds(5)), (deposit.Transaction, deposit.IsReadOnlyTransaction, deposit.IsRetryOff, deposit.ResponseTimeout));
        var name = methods.Single(static m => m.MethodName == "Name");
        Assert.Equal((true, true, false, null), (name.IsAlwaysInterleave, name.IsReadOnly, name.IsReadOnlyTransaction, name.Transaction));
        Assert.True(methods.Single(static m => m.MethodName == "Forget").IsOneWay);
        Assert.Equal(["ITestGrain.Over(int)", "ITestGrain.Over(List[string])"], methods.Where(static m => m.MethodName == "Over").Select(static m => m.PathElement.Name));
    }

    [Fact]
    public void A_copied_call_shares_no_argument_but_immutable_ones()
    {
        var (shared, copied) = (new List<int> { 1 }, new List<int> { 2 });
        _ = Reference().ForgetAgain(shared, copied);
        var copy = _runtime.LastCall!.Copy();
        copy.InvokeAsync(_runtime.Grain);
        Assert.Same(shared, _runtime.Grain.Shared);
        Assert.NotSame(copied, _runtime.Grain.Copied);
        Assert.Equal(copied, _runtime.Grain.Copied);
    }

    [Fact]
    public async Task A_result_can_be_taken_over_without_sharing_it()
    {
        await Reference().Deposit(1, new Account());
        var call = (Invokable<Account>)_runtime.LastCall!;
        var other = (Invokable<Account>)call.Method.Create();
        other.CopyResultFrom(call);
        Assert.NotSame(call.Result, other.Result);
        Assert.Equal(1, other.Result.Balance);
    }

    [Fact]
    public void References_are_equal_when_they_stand_for_the_same_grain()
    {
        Assert.Equal(Reference(), Reference());
        Assert.NotEqual(Reference(), (object)_manifest.Interfaces[typeof(IBaseGrain)].CreateReference(new("test", "key"), _runtime));
        Assert.Equal("ITestGrain(test/key)", Reference().ToString());
    }

    [Fact]
    public void A_grain_that_passes_itself_is_told_how()
    {
        var error = Assert.Throws<InvalidOperationException>(() => { _ = Reference().Name("x", new TestGrain()); });
        Assert.Contains("AsReference", error.Message);
    }

    [Fact]
    public void A_reference_that_nobody_could_call_is_refused()
    {
        var bytes = Carry.Write(Reference());
        Assert.Throws<InvalidOperationException>(() => Carry.Read<ITestGrain>(bytes));
    }

    private ITestGrain Reference() => (ITestGrain)_manifest.Interfaces[typeof(ITestGrain)].CreateReference(new("test", "key"), _runtime);

    /// <summary>Makes each call as another silo would: from bytes, with bytes.</summary>
    private sealed class Loopback(TestGrain grain) : IGrainCallRuntime
    {
        public TestGrain Grain { get; } = grain;

        public Invokable? LastCall { get; private set; }

        public Task<TResult> CallAsync<TResult>(GrainReference target, Invokable<TResult> call)
        {
            LastCall = call;
            var bytes = new ArrayBufferWriter<byte>();
            var writer = new WireWriter(bytes);
            call.WriteArguments(ref writer);
            var there = call.Method.Create();
            there.CancellationToken = call.CancellationToken;
            var reader = new WireReader(bytes.WrittenSpan, this);
            there.ReadArguments(ref reader);
            Assert.True(reader.Rest.IsEmpty);
            return Answer(call, there);
        }

        private async Task<TResult> Answer<TResult>(Invokable<TResult> call, Invokable there)
        {
            await there.InvokeAsync(Grain);
            var bytes = new ArrayBufferWriter<byte>();
            var writer = new WireWriter(bytes);
            there.WriteResult(ref writer);
            var reader = new WireReader(bytes.WrittenSpan, this);
            call.ReadResult(ref reader);
            return call.Result;
        }
    }

    private sealed class TestGrain : ITestGrain
    {
        public List<string> Log { get; } = [];

        public bool Fails { get; set; }

        public List<int>? Shared { get; private set; }

        public List<int>? Copied { get; private set; }

        public async Task Ping()
        {
            await Task.Yield();
            if (Fails) throw new TimeoutException();
            Log.Add("Ping");
        }

        public Task<int> Balance()
        {
            Log.Add("Balance");
            return Fails ? Task.FromException<int>(new TimeoutException()) : Task.FromResult(42);
        }

        public Task<Account> Deposit(int amount, Account into, CancellationToken cancellation)
        {
            into.Balance += amount;
            into.Owner = cancellation.IsCancellationRequested ? "cancellable" : "";
            Log.Add($"Deposit {amount}");
            return Task.FromResult(into);
        }

        public async ValueTask Touch(params int[] at)
        {
            await Task.Yield();
            Log.Add($"Touch {string.Concat(at)}");
        }

        public ValueTask<string?> Name(string? @class, ITestGrain? other)
        {
            Log.Add($"Name {@class} {(other as GrainReference)?.Id.ToString()}");
            return new(@class);
        }

        public void Forget(Colour colour) => Log.Add($"Forget {colour}");

        public Task ForgetAgain(List<int> shared, List<int> copied)
        {
            (Shared, Copied) = (shared, copied);
            Log.Add($"ForgetAgain {shared[0]}{copied[0]}");
            return Task.CompletedTask;
        }

        public Task Over(int a) => Add($"Over {a}");

        public Task Over(List<string> a) => Add($"Over {a[0]}");

        public Task Keyword(int @int) => Add($"Keyword {@int}");

        private Task Add(string entry)
        {
            Log.Add(entry);
            return Task.CompletedTask;
        }
    }
}
