namespace Polyjuice.Orleans.Tests.GrainCode;

public interface IByGuid : IGrainWithGuidKey
{
    Task<string> Key();
}

public interface IByInteger : IGrainWithIntegerKey
{
    Task<string> Key();
}

public interface IByGuidAndText : IGrainWithGuidCompoundKey
{
    Task<string> Key();
}

public interface IByIntegerAndText : IGrainWithIntegerCompoundKey
{
    Task<string> Key();
}

public interface ISeveral : IGrainWithStringKey
{
    Task<string> Name();
}

public interface INobody : IGrainWithStringKey
{
    Task Nothing();
}

public interface ITwoFaced : IGrainWithStringKey
{
    Task<ISecondFace> Other();
}

public interface ISecondFace : IGrainWithStringKey
{
    Task<string> Name();
}

public sealed class ByGuidGrain : Grain, IByGuid
{
    public Task<string> Key() => Task.FromResult(this.GetPrimaryKey().ToString());
}

public sealed class ByIntegerGrain : Grain, IByInteger
{
    public Task<string> Key() => Task.FromResult(this.GetPrimaryKeyLong().ToString());
}

public sealed class ByGuidAndTextGrain : Grain, IByGuidAndText
{
    public Task<string> Key() => Task.FromResult($"{this.GetPrimaryKey(out var text)} {text}");
}

public sealed class ByIntegerAndTextGrain : Grain, IByIntegerAndText
{
    public Task<string> Key() => Task.FromResult($"{this.GetPrimaryKeyLong(out var text)} {text}");
}

public sealed class SeveralOneGrain : Grain, ISeveral
{
    public Task<string> Name() => Task.FromResult("one");
}

public sealed class SeveralTwoGrain : Grain, ISeveral
{
    public Task<string> Name() => Task.FromResult("two");
}

public sealed class TwoFacedGrain : Grain, ITwoFaced, ISecondFace
{
    public Task<ISecondFace> Other() => Task.FromResult(this.AsReference<ISecondFace>());

    public Task<string> Name() => Task.FromResult(IdentityString);
}
